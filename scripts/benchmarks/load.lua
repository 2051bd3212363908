-- load.lua [DEPTH]: sends DEPTH requests at a time (pipelined), and ends with one line that a program can read:
-- requests, microseconds, p50 and p99 in microseconds, errors.
function init(arguments)
  local depth = tonumber(arguments[1]) or 1
  local requests = string.rep(wrk.format(), depth)
  wrk.format = function() return requests end
end

function done(summary, latency)
  local errors = summary.errors
  local sum = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("result %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), sum))
end
