import type { IncomingMessage } from 'node:http'

/**
 * The body of a request where it comes in one chunk, as small ones do. Undefined where it does not, or not whole: an iteration over the message
 * then tells all, but costs as much as all the rest of reading a small request.
 * `stated`: the body's length; NaN where the client has stated none.
 */
export function onlyChunk(
  incoming: IncomingMessage,
  stated: number,
): Promise<Buffer | undefined> | undefined {
  if (!(stated > 0) || incoming.destroyed) return undefined
  return new Promise((resolve) => {
    const closed = (): void => resolve(undefined)
    incoming.once('close', closed)
    incoming.once('data', (chunk: Buffer) => {
      incoming.off('close', closed)
      if (chunk.length === stated) {
        resolve(chunk)
        return
      }
      incoming.pause()
      incoming.unshift(chunk)
      resolve(undefined)
    })
  })
}
