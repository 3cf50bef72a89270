import type { IncomingMessage } from 'node:http'

/**
 * The body of a request that arrives in one chunk, as small ones do. Undefined where it arrives in several or incompletely: the caller then
 * iterates over the message. Iteration alone costs as much as the rest of reading a small request.
 * `stated`: the Content-Length in bytes; NaN where the client sent none.
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
