"""The playing engine: a session and the parts that it uses."""
