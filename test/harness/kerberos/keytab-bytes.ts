/** The bytes of a keytab of MIT Kerberos, with a key of zeros for each principal. */
export function keytabBytes(...principals: readonly string[]): Buffer {
  return Buffer.concat([Buffer.of(5, 2), ...principals.map((name) => behindSize(entry(name)))])
}

/** The place of a removed entry, which readers pass over. */
export function keytabHole(bytes: number): Buffer {
  const hole = Buffer.alloc(4 + bytes, 0xff)
  hole.writeInt32BE(-bytes, 0)
  return hole
}

function entry(principal: string): Buffer {
  const [name = '', realm = ''] = principal.split('@')
  const components = name.split('/')
  const count = Buffer.of(0, components.length)
  const afterNames = Buffer.alloc(4 + 4 + 1)
  afterNames.writeUInt32BE(1, 0)
  const key = Buffer.alloc(2 + 2 + 16)
  key.writeUInt16BE(17, 0)
  key.writeUInt16BE(16, 2)
  return Buffer.concat([count, ...[realm, ...components].map(text), afterNames, key])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes])
}

function behindSize(bytes: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeInt32BE(bytes.length)
  return Buffer.concat([size, bytes])
}
