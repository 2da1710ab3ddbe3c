"""What a person sees of the experiments: a page, a document, files, a terminal."""
