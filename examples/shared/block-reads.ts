import type { ExampleServer } from './example-server.ts'

const COUNTERS = /^tidegate_native_block_cache_(?:hits|misses)_total (\d+)$/gm

/** How many blocks of store files the server has read so far, from its cache or not. Undefined where it does not tell. */
export async function blockReads({ host, ports }: ExampleServer): Promise<number | undefined> {
  const metrics = await fetch(`http://${host}:${ports.web}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  )
  const counts = [...metrics.matchAll(COUNTERS)].map((match) => Number(match[1]))
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count)
}
