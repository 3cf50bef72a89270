/** The Node that runs a server: one with threads needs a newer Node than the tools and tests do. */

import { MOVING_VERSIONS, movesConnections } from '../../src/gateway/connections/moving-sockets.ts'
import { packageRoot } from '../../src/package-root.ts'

/** The threads that a server with these arguments has, by its flag or by the variable. */
export function statedThreads(args: readonly string[] = []): number {
  const at = args.indexOf('--threads')
  return Number(at < 0 ? (process.env['TIDEGATE_THREADS'] ?? '0') : args[at + 1])
}

/**
 * The program for a script with these arguments: this Node, or the one below tools/newest-node for a server with threads that this Node
 * cannot have. Throws where that one is missing, for one thread would then serve all connections.
 */
export async function nodeFor(args: readonly string[]): Promise<string> {
  const threads = args[0] === 'serve' ? statedThreads(args) : 0
  if (threads === 0 || movesConnections()) return process.execPath
  const module = new URL('tools/newest-node/newest-node.js', packageRoot()).href
  const { newestNode } = (await import(module)) as { readonly newestNode: () => string | undefined }
  const program = newestNode()
  if (program !== undefined) return program
  throw new Error(
    `--threads ${threads} needs ${MOVING_VERSIONS}: this is ${process.versions.node}, and tools/newest-node has none. ` +
      'Install it: npm install --prefix tools/newest-node',
  )
}
