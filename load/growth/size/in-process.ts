/** One piece of in-process work, in a process of its own, whose memory ends with it: prints its result as JSON. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { own } from '../../../test/harness/processes/owned-children.ts'
import { type Compared, compareInProcess } from './compare-in-process.ts'
import { type Filled, fillEngine, fillLevel } from './fill-in-process.ts'

/** The arguments of each kind of work, and its result. */
interface Works {
  readonly 'fill-engine': { args: Parameters<typeof fillEngine>; result: Filled }
  readonly 'fill-level': { args: Parameters<typeof fillLevel>; result: Filled }
  readonly compare: { args: Parameters<typeof compareInProcess>; result: Compared }
}

const SELF = fileURLToPath(import.meta.url)

export async function inProcess<Kind extends keyof Works>(
  kind: Kind,
  ...args: Works[Kind]['args']
): Promise<Works[Kind]['result']> {
  const child = spawn(process.execPath, [SELF, kind, JSON.stringify(args)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  own(child)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${kind} ended with code ${code}`)
  return JSON.parse(text) as Works[Kind]['result']
}

async function work(kind: string | undefined, args: unknown): Promise<unknown> {
  if (kind === 'fill-engine') return fillEngine(...(args as Works['fill-engine']['args']))
  if (kind === 'fill-level') return fillLevel(...(args as Works['fill-level']['args']))
  return compareInProcess(...(args as Works['compare']['args']))
}

if (process.argv[1] === SELF) {
  const [kind, args] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(await work(kind, JSON.parse(args ?? '[]'))))
}
