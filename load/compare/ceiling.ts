/** The upper bounds of a server on Node, and of a store: peers that answer constant bytes, and LevelDB. Benchmarks of their own print it. */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PEERS = new URL('../run.js', import.meta.url)
const LEVELDB = new URL('../engine-gets.js', import.meta.url)

export interface Ceiling {
  readonly peers: string
  readonly levelDb: string
}

export async function ceiling(): Promise<Ceiling> {
  return { peers: await printed(PEERS), levelDb: await printed(LEVELDB) }
}

/** The output of a script, with the exit code 1 of goals that were missed or with 0. */
function printed(script: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(script)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0 || code === 1) resolve(text.trimEnd())
      else reject(new Error(`${script.pathname} ended with code ${code}`))
    })
  })
}
