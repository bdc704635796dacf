"""A LangChain retriever over the memory (the extra ``langchain``)."""

from __future__ import annotations

from typing import Any

from hippocampus_cli.api import Workspace
from hippocampus_cli.errors import ExtraMissing

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:
    raise ExtraMissing(feature="the LangChain retriever", extra="langchain") from error


class HippoRetriever(BaseRetriever):  # type: ignore[misc,unused-ignore]
    """The places that answer a question, best first: ``metadata`` says where each stands and how sure the answer is.

    ``write`` counts what was found as used, as ``hippo query`` does.
    """

    workspace: Any
    limit: int = 5
    tokens: int = 1_500
    write: bool = False

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        workspace: Workspace = self.workspace
        found = workspace.query(query, limit=self.limit, tokens=self.tokens, write=self.write)
        return [
            Document(
                page_content=one.text,
                metadata={
                    "path": one.path,
                    "line": one.start_line,
                    "section": one.section,
                    "score": one.score,
                    "origin": one.origin,
                    "superseded": one.superseded_by is not None,
                    "sure": found.sure,
                },
            )
            for one in found.results
        ]
