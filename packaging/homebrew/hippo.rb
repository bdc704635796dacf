class Hippo < Formula
  desc "A long-term memory for agents: an index over a folder of markdown, search, upkeep"
  homepage "https://github.com/OWNER/hippo"
  license "MIT"
  head "https://github.com/OWNER/hippo.git", branch: "main"

  depends_on "python@3.13"

  def install
    system Formula["python@3.13"].opt_bin/"python3.13", "-m", "venv", libexec
    system libexec/"bin/pip", "install", "--disable-pip-version-check", buildpath
    bin.install_symlink libexec/"bin/hippo"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hippo --version") unless build.head?
  end
end
