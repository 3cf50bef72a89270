import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FREE_PORTS, inTemporaryFolder, MAIN, startTidegate } from '../harness/tidegate-process.ts'

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

test.concurrent('a server before a cluster that is not there starts, and answers what its protocol has for that in time', async () => {
  await inTemporaryFolder(async (folder) => {
    const site = join(folder, 'hbase-site.xml')
    writeFileSync(site, SITE)
    const tidegate = await startTidegate(`hbase:127.0.0.1:${await deadPort()}`, '--config', site)
    const watch = (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${tidegate.port('web')}/${path}`)
    try {
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
      expect(metrics).toContain('\ntidegate_hbase_operations_given_up_total 4\n')
      expect(metrics).toContain('\ntidegate_errors_total{door="rest",code="UNAVAILABLE"} 3\n')
    } finally {
      expect(await tidegate.stop()).toBe(0)
    }
  })
})

/** A server that takes connections and never answers. */
async function silentServer(): Promise<Server> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return server
}

test.concurrent.each(['is refused', 'gets no answer'])(
  'a server whose cluster cannot be reached, because it %s, says so in the log and in /health within 5 s, unasked',
  async (how) => {
    const silent = how === 'gets no answer' ? await silentServer() : undefined
    const port = silent === undefined ? await deadPort() : (silent.address() as AddressInfo).port
    const store = `hbase:127.0.0.1:${port}`
    const child = spawn(process.execPath, [MAIN, 'serve', '--store', store, ...FREE_PORTS])
    let log = ''
    try {
      const web = await new Promise<string>((resolve, reject) => {
        child.stdout.on('data', (chunk: Buffer) => {
          const ready = / web=(\S+)/.exec(chunk.toString())
          if (ready !== null) resolve(ready[1]!)
        })
        child.once('exit', () => reject(new Error(log)))
        child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
      })
      const started = performance.now()
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (log.includes('the cluster does not serve')) resolve()
        }
        child.stderr.on('data', look)
        look()
      })
      expect(performance.now() - started).toBeLessThan(5_000)
      expect(log).toContain(`"store":"${store}"`)
      const health = await fetch(`http://${web}/health`)
      expect(health.status).toBe(503)
      expect(await health.json()).toMatchObject({
        status: 'unavailable',
        reason: expect.stringContaining('first look') as string,
      })
    } finally {
      child.kill('SIGKILL')
      silent?.close()
    }
  },
)
