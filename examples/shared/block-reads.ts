import type { ExampleServer } from './example-server.ts'

const COUNTERS = /^tidegate_native_block_cache_(?:hits|misses)_total (\d+)$/gm

/** How many blocks of store files the server has read so far, from its cache or not. 0 where it does not tell. */
export async function blockReads({ host, ports }: ExampleServer): Promise<number> {
  const metrics = await fetch(`http://${host}:${ports.web}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  )
  return [...metrics.matchAll(COUNTERS)].reduce((sum, match) => sum + Number(match[1]), 0)
}
