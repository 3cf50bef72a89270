/** What a container must do, whoever runs it. */

import type { Builder, Container } from './container.ts'

const OPEN = { TIDEGATE_INSECURE: 'yes', TIDEGATE_LOG_LEVEL: 'info' }
const START_MS = 60_000
const TRY_REST = `
const at = (path) => 'http://127.0.0.1:8080' + path
const json = { 'content-type': 'application/json' }
const octets = { 'content-type': 'application/octet-stream', accept: 'application/octet-stream' }
if (process.argv[1] === 'write') {
  await fetch(at('/trial/schema'), { method: 'PUT', headers: json, body: '{"ColumnSchema":[{"name":"f"}]}' })
  await fetch(at('/trial/row/f:q'), { method: 'PUT', headers: octets, body: 'kept' })
}
console.log(await (await fetch(at('/trial/row/f:q'), { headers: octets })).text())
`

/** Each resolves to what went wrong, or to undefined. */
export const CHECKS: readonly (readonly [
  name: string,
  check: (builder: Builder) => Promise<string | undefined>,
])[] = [
  [
    'without accounts it refuses to serve others than itself, and says what to do',
    async (builder) => {
      const { code, output } = await (await builder.start({})).ended()
      return code === 2 && /--insecure/.test(output) ? undefined : `exit ${code}: ${output}`
    },
  ],
  [
    'it becomes healthy by its own probe, keeps a row, and ends in order at SIGTERM',
    async (builder) =>
      await whileHealthy(builder, async (container) => {
        const { output } = await container.exec(['node', '--input-type=module', '-e', TRY_REST, 'write'])
        return output.trim() === 'kept' ? undefined : `the row reads: ${output}`
      }),
  ],
  [
    'the next container on the volume has the row',
    async (builder) =>
      await whileHealthy(builder, async (container) => {
        const { output } = await container.exec(['node', '--input-type=module', '-e', TRY_REST, 'read'])
        return output.trim() === 'kept' ? undefined : `the row reads: ${output}`
      }),
  ],
]

async function whileHealthy(
  builder: Builder,
  work: (container: Container) => Promise<string | undefined>,
): Promise<string | undefined> {
  const container = await builder.start(OPEN)
  const trouble = (await becomesHealthy(container)) ?? (await work(container))
  const { code, output } = await container.stop()
  return trouble ?? (code === 0 ? undefined : `it ended with ${code} after SIGTERM: ${output}`)
}

async function becomesHealthy(container: Container): Promise<string | undefined> {
  const end = Date.now() + START_MS
  for (;;) {
    const { code, output } = await container.exec(['tidegate', 'health'])
    if (code === 0) return undefined
    if (Date.now() > end) return `not healthy: ${output}\n${await container.output()}`
  }
}
