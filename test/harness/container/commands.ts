import { type ChildProcess, spawn } from 'node:child_process'
import type { Ended } from './container.ts'

export interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<Ended>
}

export function start(file: string, args: readonly string[], environment?: NodeJS.ProcessEnv): Running {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment ?? process.env })
  let text = ''
  const note = (chunk: Buffer): void => {
    text += chunk.toString()
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  const ended = new Promise<Ended>((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: `${file}: ${error.message}` }))
    child.on('close', (code) => resolve({ code, output: text }))
  })
  return { child, output: () => text, ended }
}

export async function run(
  file: string,
  args: readonly string[],
  environment?: NodeJS.ProcessEnv,
): Promise<Ended> {
  return await start(file, args, environment).ended
}

/** Throws with the command's output where it fails. */
export async function done(file: string, args: readonly string[]): Promise<string> {
  const { code, output } = await run(file, args)
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}
