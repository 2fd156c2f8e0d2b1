"""What the tests share. Those against a server get its address from the test that starts it."""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, os.environ.get("RECADO_PACKAGE", str(Path(__file__).parents[1])))


def given(name):
    """A value of the test that started this process."""
    return os.environ[name]


def given_json(name):
    return json.loads(Path(given(name)).read_text())


class Server:
    """A server on this machine that answers as a test says: each answer is (status, headers, body) or "refused"."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.seen = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length)
                outer.seen.append((self.command, self.path, self.headers, body))
                answer = outer.answers.pop(0) if outer.answers else (200, {}, {})
                if answer == "refused":
                    self.close_connection = True
                    return
                status, headers, value = answer
                content = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                for name, text in headers.items():
                    self.send_header(name, text)
                if "content-length" not in headers:
                    self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
