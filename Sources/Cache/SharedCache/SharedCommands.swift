import Digest
import DiskStore

// What is asked of Redis. Each is one script, so that nothing comes between its steps. Scripts make the names of keys, all of
// which begin with the prefix of the fleet and `:1:`, so a cluster of Redis cannot be used.
//
// | key | what |
// |---|---|
// | `gen` | the generation: the number of the latest purge |
// | `s` | a stream of the latest purges; their ids are their generations |
// | `w` | the generation of the latest purge of everything, a part of the names of entries and groups |
// | `e:W:KEY` | an entry. It counts only while all groups that it is purged with have its key |
// | `m:W:TAG` | a group: a hash of the keys of its entries. Without it they are purged, and what Redis evicts is only missing |
// | `p:TAG` | the generation of the latest purge of a group, for an hour |
// | `l:KEY` | who makes an entry, for as long as the lease |
//
// Generations begin with the time in microseconds, so they go up even where Redis has lost everything. Where `w` is gone, nothing
// is found or stored until the next poll makes another one: what an earlier one named stays lost.

struct SharedCommands {
    /// Entries of a group; one that is full begins anew.
    static let entryLimit = 65_536
    /// A purge removes the entries of no larger group; others are purged all the same, and stay until they expire.
    static let sweepLimit = 1000
    /// Seconds after which an entry is gone, and a group that nothing was added to.
    static let lifetime = 7 * 86_400
    /// Purges that a server which slept can still read; after more it forgets everything.
    static let historyLimit = 1000
    /// Milliseconds for which a lock holds without being renewed.
    static let lease = 10_000

    /// Of all keys.
    private let prefix: String

    init(_ fleet: SharedPrefix) { prefix = "\(fleet.text):1:" }

    /// The bytes of an entry; nothing where it is missing in one of its groups.
    func find(_ key: Digest256, tag: UInt64, furtherTags: [UInt64]) -> [[UInt8]] {
        eval(
            """
            local w=redis.call('GET',P..'w')
            if not w then return false end
            for i=2,#ARGV do
              if redis.call('HEXISTS',P..'m:'..w..':'..ARGV[i],ARGV[1])==0 then return false end
            end
            return redis.call('GET',P..'e:'..w..':'..ARGV[1])
            """, [name(key), Self.hex(tag)] + furtherTags.map(Self.hex))
    }

    /// 1; or 0 where one of the groups was purged after the generation `heard`.
    func store(_ value: [UInt8], _ key: Digest256, tag: UInt64, furtherTags: [UInt64], heard: UInt64) -> [[UInt8]] {
        eval(
            """
            local w=redis.call('GET',P..'w')
            local heard=tonumber(ARGV[2])
            if not w or tonumber(w)>heard then return 0 end
            for i=5,#ARGV do
              local p=redis.call('GET',P..'p:'..ARGV[i])
              if p and tonumber(p)>heard then return 0 end
            end
            redis.call('SET',P..'e:'..w..':'..ARGV[1],ARGV[3],'EX',ARGV[4])
            for i=5,#ARGV do
              local n=P..'m:'..w..':'..ARGV[i]
              if redis.call('HLEN',n)>=\(Self.entryLimit) then redis.call('UNLINK',n) end
              redis.call('HSET',n,ARGV[1],'')
              redis.call('EXPIRE',n,ARGV[4])
            end
            return 1
            """,
            [name(key), text("\(heard)"), value, text("\(Self.lifetime)"), Self.hex(tag)] + furtherTags.map(Self.hex))
    }

    func remove(_ key: Digest256, tag: UInt64) -> [[UInt8]] {
        eval(
            """
            local w=redis.call('GET',P..'w')
            if w then
              redis.call('HDEL',P..'m:'..w..':'..ARGV[2],ARGV[1])
              redis.call('UNLINK',P..'e:'..w..':'..ARGV[1])
            end
            return 1
            """, [name(key), Self.hex(tag)])
    }

    /// 0: somebody else has it; 1: it is ours; 2: and the entry is there.
    func lock(_ key: Digest256, tag: UInt64, token: String) -> [[UInt8]] {
        eval(
            """
            local l=P..'l:'..ARGV[1]
            if not redis.call('SET',l,ARGV[3],'NX','PX',\(Self.lease)) and redis.call('GET',l)~=ARGV[3] then return 0 end
            local w=redis.call('GET',P..'w')
            if not w or redis.call('HEXISTS',P..'m:'..w..':'..ARGV[2],ARGV[1])==0 then return 1 end
            return 1+redis.call('EXISTS',P..'e:'..w..':'..ARGV[1])
            """, [name(key), Self.hex(tag), text(token)])
    }

    func unlock(_ key: Digest256, token: String) -> [[UInt8]] {
        eval(
            "local l=P..'l:'..ARGV[1] if redis.call('GET',l)==ARGV[2] then redis.call('DEL',l) end return 1",
            [name(key), text(token)])
    }

    func renew(_ key: Digest256, token: String) -> [[UInt8]] {
        eval(
            "local l=P..'l:'..ARGV[1] if redis.call('GET',l)==ARGV[2] then redis.call('PEXPIRE',l,\(Self.lease)) end return 1",
            [name(key), text(token)])
    }

    /// Who has which lock; nothing for a free one.
    func holders(_ keys: [Digest256]) -> [[UInt8]] { [text("MGET")] + keys.map { text(prefix + "l:") + name($0) } }

    /// Returns the generation of the purge.
    func purge(_ purge: SharedPurge, by server: String) -> [[UInt8]] {
        let parts: [[UInt8]] =
            switch purge {
            case .whole: [text("w")]
            case .group(let tag): [text("g"), Self.hex(tag)]
            case .entry(let key, let tag): [text("e"), Self.hex(tag), name(key)]
            }
        return eval(
            Self.generation + """
                local kind=ARGV[3]
                local g=bump()
                local w=redis.call('GET',P..'w')
                if kind=='w' then redis.call('SET',P..'w',g)
                else
                  redis.call('SET',P..'p:'..ARGV[4],g,'EX',3600)
                  if w and kind=='g' then
                    local n=P..'m:'..w..':'..ARGV[4]
                    if redis.call('HLEN',n)<=\(Self.sweepLimit) then
                      for _,k in ipairs(redis.call('HKEYS',n)) do redis.call('UNLINK',P..'e:'..w..':'..k) end
                    end
                    redis.call('UNLINK',n)
                  end
                  if w and kind=='e' then
                    redis.call('HDEL',P..'m:'..w..':'..ARGV[4],ARGV[5])
                    redis.call('UNLINK',P..'e:'..w..':'..ARGV[5])
                  end
                end
                note(g,ARGV[2],ARGV[1])
                return g
                """, [text(purge.text), text(server)] + parts)
    }

    /// The generation, and the purges after `heard`, three texts each: id, server, purge. At most a hundred more than are kept.
    func poll(after heard: UInt64?) -> [[UInt8]] {
        eval(
            Self.generation + """
                local w=redis.call('GET',P..'w')
                if not w then
                  local g=bump()
                  redis.call('SET',P..'w',g)
                  note(g,'','-')
                end
                local g=redis.call('GET',P..'gen')
                if not g then g=bump() note(g,'','-') end
                local r={g}
                if ARGV[1]~='' and ARGV[1]~=g then
                  for _,e in ipairs(redis.call('XRANGE',P..'s',string.format('%.0f-0',ARGV[1]+1),'+','COUNT',\(Self.historyLimit + 100))) do
                    r[#r+1]=e[1] r[#r+1]=e[2][2] r[#r+1]=e[2][4]
                  end
                end
                return r
                """, [text(heard.map { "\($0)" } ?? "")])
    }

    /// Returns when there is a purge after `heard`, or after `milliseconds`.
    func wait(after heard: UInt64, milliseconds: Int) -> [[UInt8]] {
        ["XREAD", "COUNT", "1", "BLOCK", "\(milliseconds)", "STREAMS", "\(prefix)s", "\(heard)-0"].map(text)
    }

    /// `bump` makes a generation, `note` tells of it. A stream that is ahead of the generation is of another past.
    private static let generation = """
        local function bump()
          if redis.call('EXISTS',P..'gen')==0 then
            local t=redis.call('TIME')
            redis.call('SET',P..'gen',string.format('%.0f',t[1]*1000000+t[2]))
          end
          return string.format('%.0f',redis.call('INCR',P..'gen'))
        end
        local function note(g,server,purge)
          local function add()
            return redis.pcall('XADD',P..'s','MAXLEN',\(historyLimit),g..'-0','o',server,'p',purge)
          end
          local r=add()
          if type(r)=='table' and r.err then redis.call('UNLINK',P..'s') add() end
        end

        """

    private func eval(_ script: String, _ arguments: [[UInt8]]) -> [[UInt8]] {
        [text("EVAL"), text("local P='\(prefix)' " + script), text("0")] + arguments
    }

    private func name(_ key: Digest256) -> [UInt8] { text(key.base64URL()) }
    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func hex(_ tag: UInt64) -> [UInt8] {
        let digits = String(tag, radix: 16)
        return Array((String(repeating: "0", count: 16 - digits.utf8.count) + digits).utf8)
    }
}

extension SharedPurge {
    /// `*`, `g` and a tag, or `e`, tag and key.
    var text: String {
        switch self {
        case .whole: "*"
        case .group(let tag): "g" + String(decoding: SharedCommands.hex(tag), as: UTF8.self)
        case .entry(let key, let tag):
            "e" + String(decoding: SharedCommands.hex(tag), as: UTF8.self) + key.base64URL()
        }
    }

    init?(text: String) {
        guard let kind = text.utf8.first else { return nil }
        let rest = String(text.dropFirst())
        let tag = UInt64(rest.prefix(16), radix: 16)
        switch (kind, rest.utf8.count) {
        case (UInt8(ascii: "*"), 0): self = .whole
        case (UInt8(ascii: "g"), 16):
            guard let tag else { return nil }
            self = .group(tag: tag)
        case (UInt8(ascii: "e"), 59):
            guard let tag, let key = Digest256(base64URL: String(rest.dropFirst(16))) else { return nil }
            self = .entry(key: key, tag: tag)
        default: return nil
        }
    }
}
