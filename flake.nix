{
  description = "hippo: a long-term memory for AI agents, over a folder of markdown";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
      project = (builtins.fromTOML (builtins.readFile ./pyproject.toml)).project;
      version = builtins.head (builtins.match ".*__version__ = \"([^\"]+)\".*" (builtins.readFile ./hippocampus_cli/version.py));
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.python3Packages.buildPythonApplication {
          pname = project.name;
          inherit version;
          src = self;
          pyproject = true;
          build-system = [ pkgs.python3Packages.hatchling ];
          dependencies = with pkgs.python3Packages; [
            typer
            rich
            python-frontmatter
            watchdog
            rapidfuzz
            pathspec
            pystemmer
          ];
          pythonRelaxDeps = true;
          meta = {
            inherit (project) description;
            license = pkgs.lib.licenses.mit;
            mainProgram = "hippo";
          };
        };
      });
    };
}
