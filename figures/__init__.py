"""What the lecture computes: one topic a module, pure, importable, with nothing written or printed."""
