"""Damaged files, thousands of them: the answer is a result or one sentence, never anything else."""
