/** OpenTSDB as its users run it: its command-line tools, and the daemon with HTTP and telnet on one port. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { runJava } from '../client-transcripts/java-program.ts'
import { mavenJars } from '../client-transcripts/maven-jars.ts'
import { sourcesOf } from '../client-transcripts/transcript-tool.ts'
import { own } from '../processes/owned-children.ts'

const START_MS_MAX = 60_000
const STORED_MS_MAX = 10_000

/** opentsdb.conf and the settings of its log. `more`: settings that go before those that stand here. */
export function writeConfiguration(
  folder: string,
  zookeeper: number,
  port: number,
  more: Readonly<Record<string, string | number | boolean>> = {},
): void {
  for (const name of ['static', 'cache']) mkdirSync(join(folder, name), { recursive: true })
  const settings = {
    'tsd.network.port': port,
    'tsd.network.bind': '127.0.0.1',
    'tsd.http.staticroot': join(folder, 'static'),
    'tsd.http.cachedir': join(folder, 'cache'),
    'tsd.http.request.enable_chunked': true,
    'tsd.http.request.max_chunk': 1_000_000,
    'tsd.core.auto_create_metrics': true,
    'tsd.core.meta.enable_tsuid_tracking': true,
    'tsd.core.meta.enable_tsuid_incrementing': true,
    // Its own compaction of rows comes when it comes.
    'tsd.storage.enable_compaction': false,
    'tsd.storage.hbase.zk_quorum': `127.0.0.1:${zookeeper}`,
    'tsd.storage.hbase.zk_basedir': '/hbase',
    ...more,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(folder, 'opentsdb.conf'), lines.join(''))
  writeFileSync(
    join(folder, 'logback.xml'),
    `<configuration><appender name="E" class="ch.qos.logback.core.ConsoleAppender"><target>System.err</target>
<encoder><pattern>%level %logger: %msg%n</pattern></encoder></appender><root level="warn"><appender-ref ref="E"/></root></configuration>\n`,
  )
}

export class OpenTsdb {
  readonly #folder: string
  readonly #classPath: readonly string[]
  readonly #port: number
  #stop: () => Promise<void> = async () => undefined

  constructor(folder: string, port: number) {
    this.#folder = folder
    this.#port = port
    this.#classPath = [folder, `${mavenJars('opentsdb-2.4.1', join(sourcesOf('opentsdb'), 'pom.xml'))}/*`]
  }

  /** What a tool of its own prints. */
  async tool(name: string, ...args: readonly string[]): Promise<string> {
    const all = [`net.opentsdb.tools.${name}`, `--config=${join(this.#folder, 'opentsdb.conf')}`, ...args]
    const { code, stdout, stderr } = await runJava({
      classPath: this.#classPath,
      args: all,
      cwd: this.#folder,
    })
    if (code !== 0) process.stdout.write(`${name} ended with ${code}:\n${stderr.slice(-2000)}\n`)
    return `exit code ${code}\n${stdout}`.trimEnd()
  }

  async start(): Promise<void> {
    const log = join(this.#folder, 'tsd.log')
    const output = openSync(log, 'a')
    const opened = ['java.lang', 'java.nio', 'java.util'].map(
      (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
    )
    const args = ['-Xmx400m', ...opened, '-cp', this.#classPath.join(':'), 'net.opentsdb.tools.TSDMain']
    const child = spawn('java', [...args, `--config=${join(this.#folder, 'opentsdb.conf')}`], {
      cwd: this.#folder,
      stdio: ['ignore', output, output],
    })
    own(child)
    const ended = once(child, 'exit')
    this.#stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    const deadline = performance.now() + START_MS_MAX
    while (performance.now() < deadline && child.exitCode === null) {
      const isReady = await fetch(`http://127.0.0.1:${this.#port}/api/version`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isReady) return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error(`OpenTSDB did not start:\n${readFileSync(log, 'utf8').slice(-3000)}`)
  }

  /** Lines of the telnet protocol; resolves to what it answers until it has nothing more to say. */
  async telnet(lines: readonly string[]): Promise<string> {
    const socket = connect(this.#port, '127.0.0.1')
    let answer = ''
    socket.on('data', (bytes: Buffer) => {
      answer += bytes.toString()
    })
    socket.write(`${lines.join('\n')}\nexit\n`)
    await once(socket, 'close')
    return answer.trimEnd()
  }

  async ask(path: string, body?: unknown): Promise<string> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    try {
      return await this.#answer(path, init)
    } catch (error) {
      // It ends a connection when something within it fails.
      const log = readFileSync(join(this.#folder, 'tsd.log'), 'utf8')
      process.stdout.write(`${path}: ${String(error)}\n${log.slice(-3000)}\n`)
      return 'no answer'
    }
  }

  async #answer(path: string, init: RequestInit): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json', connection: 'close' },
    })
    const text = await response.text()
    const steady = text.replaceAll(/"trace":"[^"]*"/g, '"trace":"..."').replace(/"time":[\d.]+/, '"time":0')
    return `${response.status} ${steady}`
  }

  /** Points by telnet are stored some time after they were sent. */
  async askUntil(path: string, text: string): Promise<string> {
    const deadline = performance.now() + STORED_MS_MAX
    for (;;) {
      const answer = await this.ask(path)
      if (answer.includes(text) || performance.now() > deadline) return answer
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  stop(): Promise<void> {
    return this.#stop()
  }
}
