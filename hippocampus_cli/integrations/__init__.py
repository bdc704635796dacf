"""hippo in an agent and in git: installing it there, and answering the agent's hooks."""
