import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names the state of all .proto files of a directory: code generated from another state is stale. */
export function protobufDigest(directory: string): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(directory).sort()) {
    if (!file.endsWith('.proto')) continue
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(directory, file)))
      .update('\0')
  }
  return `sha256:${hash.digest('hex')}`
}
