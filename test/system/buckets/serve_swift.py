"""OpenStack Swift as an S3 service for the tests: proxy, account, container and object server in one process.

    python3 swift.py FOLDER BUCKET ACCESS_KEY SECRET_KEY

Everything lies in FOLDER, which must be empty and on a file system with extended attributes. Prints the port of the S3 service on 127.0.0.1 when
it serves. A number on standard input sets the clock of the S3 service so many seconds ahead, and is printed when that is done; the end of standard
input ends the process. Needs the Debian package python3-swift.
"""
import eventlet

eventlet.monkey_patch()

import os
import sys
import time

import eventlet.wsgi
from swift.common import utils

folder, bucket, access_key, secret_key = sys.argv[1:]
# TempAuth replaces the access key in paths by the account, at times twice: neither may be part of anything else
ACCOUNT = "AUTH_tests"


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


# read as the modules below are imported
utils.SWIFT_CONF_FILE = write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = of-the-tests\n")
utils.validate_hash_conf()

from swift.common.middleware.s3api.utils import S3Timestamp
from swift.common.middleware.tempauth import TempAuth
from swift.common.ring import RingBuilder
from swift.common.swob import Request
from swift.common.wsgi import SwiftHttpProtocol, loadapp


seconds_ahead = 0
S3Timestamp.now = classmethod(lambda cls, *_args: cls(time.time() + seconds_ahead))


class NoCache:
    """TempAuth insists on a cache. This one keeps nothing."""

    def get(self, *_args, **_options):
        return None

    def set(self, *_args, **_options):
        return None

    delete = set


class Auth(TempAuth):
    """Users by a plain access key: TempAuth's own are of the form account:user, and S3 clients differ in how they sign a colon."""

    def __init__(self, app, conf):
        super().__init__(app, conf)
        self.users = {access_key: {"key": secret_key, "url": "$HOST/v1/" + ACCOUNT, "groups": [".admin"]}}

    def __call__(self, env, start_response):
        env["swift.cache"] = NoCache()
        return super().__call__(env, start_response)


def auth_factory(global_conf, **conf):
    return lambda app: Auth(app, {**global_conf, **conf})


# where the configuration below finds it
sys.modules["recado_auth"] = sys.modules[__name__]

COMMON = f"""
[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_level = ERROR
log_address = {folder}/no-syslog
"""

PROXY = """
[pipeline:main]
pipeline = catch_errors listing_formats bulk s3api auth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
[filter:auth]
paste.filter_factory = recado_auth:auth_factory
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""


def serve(name, text):
    """Serves a configuration on a port of its own."""
    app = loadapp(write(name + ".conf", COMMON + text))
    socket = sockets[name]
    eventlet.spawn(eventlet.wsgi.server, socket, app, protocol=SwiftHttpProtocol, log_output=False, max_size=512)
    return app


def build_ring(name):
    """One partition on one device, at the port of the server of this name."""
    device = {"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": sockets[name].getsockname()[1], "device": "d1", "weight": 1}
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({**device, "replication_ip": device["ip"], "replication_port": device["port"]})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + ".ring.gz"))


STORES = ["account", "container", "object"]
sockets = {name: eventlet.listen(("127.0.0.1", 0)) for name in [*STORES, "proxy"]}
os.makedirs(os.path.join(folder, "devices", "d1"))
for name in STORES:
    build_ring(name)
    serve(name, f"[pipeline:main]\npipeline = {name}-server\n[app:{name}-server]\nuse = egg:swift#{name}\n")
proxy = serve("proxy", PROXY)

made = Request.blank(f"/v1/{ACCOUNT}/{bucket}", environ={"REQUEST_METHOD": "PUT", "swift.authorize_override": True}).get_response(proxy)
if made.status_int != 201:
    sys.exit(f"the bucket could not be made: {made.status} {made.body}")
print(sockets["proxy"].getsockname()[1], flush=True)
while line := eventlet.tpool.execute(sys.stdin.readline):
    seconds_ahead = int(line)
    print(line.strip(), flush=True)
