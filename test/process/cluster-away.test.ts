import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'

const SITE = `<configuration>
  <property><name>hbase.client.operation.timeout</name><value>1000</value></property>
</configuration>
`

/** One that nobody listens at, for as long as a test takes. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a server before a cluster that is not there starts, and answers what its protocol has for that in time', async () => {
  await inTemporaryFolder(async (folder) => {
    const site = join(folder, 'hbase-site.xml')
    writeFileSync(site, SITE)
    const tidegate = await startTidegate(`hbase:127.0.0.1:${await deadPort()}`, '--config', site)
    const watch = (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${tidegate.port('web')}/${path}`)
    try {
      expect((await watch('health')).status).toBe(200)
      const started = performance.now()
      const answers = await Promise.all(
        ['', 't/schema', 't/row/f:q'].map(async (path) => {
          const response = await fetch(`http://127.0.0.1:${tidegate.port('rest')}/${path}`)
          return { status: response.status, text: await response.text() }
        }),
      )
      expect(performance.now() - started).toBeLessThan(10_000)
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
      expect(answers[0]!.text).toContain('ECONNREFUSED')
      const health = await watch('health')
      expect(health.status).toBe(503)
      expect(await health.json()).toMatchObject({ status: 'unavailable', store: 'hbase' })
      const metrics = await (await watch('metrics')).text()
      expect(metrics).toContain('\ntidegate_hbase_outages_total 1\n')
      expect(metrics).toContain('\ntidegate_hbase_outage 1\n')
      expect(metrics).toContain('\ntidegate_hbase_operations_given_up_total 3\n')
      expect(metrics).toContain('\ntidegate_errors_total{door="rest",code="UNAVAILABLE"} 3\n')
    } finally {
      expect(await tidegate.stop()).toBe(0)
    }
  })
})
