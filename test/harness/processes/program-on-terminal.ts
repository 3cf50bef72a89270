/** A program on a pseudo terminal, as util-linux' `script` makes them. */

import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { own } from './owned-children.ts'

export const HAS_TERMINALS: boolean = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0

export interface ProgramOnTerminal {
  /** `script`: its output is the text of the terminal, its input the keys of a user. Its end is the end of the terminal. */
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  /** Undefined before the program has begun. */
  readonly pid: () => number | undefined
  /** Kills the program, which may live on without its terminal, and the terminal. */
  readonly kill: () => void
}

/** `command`: one program with its arguments. Both end with this process. The first line of the terminal is `process PID`. */
export function onTerminal(command: string, folder: string): ProgramOnTerminal {
  const child = spawn('script', ['-qec', `echo "process $$"; exec ${command}`, '/dev/null'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let begin = ''
  let id: number | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    if (id !== undefined) return
    begin += chunk.toString()
    const [, digits] = /^process (\d+)\r?\n/.exec(begin) ?? []
    if (digits !== undefined) id = Number(digits)
  })
  const killProgram = (): void => {
    try {
      if (id !== undefined) process.kill(id, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  own(child, killProgram)
  const kill = (): void => {
    if (child.exitCode !== null) return
    killProgram()
    child.kill('SIGKILL')
  }
  return { child, pid: () => id, kill }
}
