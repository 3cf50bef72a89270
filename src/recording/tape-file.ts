import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'

/** A new file, which its owner alone may read: the rows and values of a recording may be secrets. Rejects where there is one already. */
export async function createTapeFile(path: string): Promise<WriteStream> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await once(file, 'open')
  return file
}
