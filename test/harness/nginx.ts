import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { own } from './processes/owned-children.ts'

/** Debian has it where only root looks. */
const ENV = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` }

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], { env: ENV }).status === 0
}

/** An nginx whose files are all in one folder. */
export class Nginx {
  readonly #process: ChildProcess

  private constructor(process: ChildProcess) {
    this.#process = process
  }

  /** `servers`: what stands within `http {}`. Resolves once it listens, rejects with what it says where it cannot. */
  static async start(folder: string, servers: string): Promise<Nginx> {
    const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const conf = [
      // One process, of this user.
      'daemon off; master_process off; pid nginx.pid; error_log stderr notice;',
      'events {}',
      'http {',
      'access_log off;',
      ...bodies.map((name) => `${name}_temp_path ${name};`),
      servers,
      '}',
    ]
    writeFileSync(`${folder}/nginx.conf`, conf.join('\n'))
    const args = ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf']
    const child = spawn('nginx', args, { env: ENV, stdio: ['ignore', 'ignore', 'pipe'] })
    own(child)
    await new Promise<void>((resolve, reject) => {
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        // It listens before it tells its version.
        if (said.includes(': nginx/')) resolve()
      })
      child.once('error', reject)
      child.once('exit', () => reject(new Error(`nginx has ended: ${said}`)))
    })
    return new Nginx(child)
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await exited
  }
}

/** A port that was free a moment ago: nginx cannot choose one itself. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
