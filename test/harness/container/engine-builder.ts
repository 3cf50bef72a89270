/** Docker or Podman: builds the image and runs it. */

import { done, run } from './commands.ts'
import type { Builder, Container, Environment } from './container.ts'

const IMAGE = 'tidegate-trial'

/** Undefined where neither is there with something behind it that builds. */
export async function containerEngine(): Promise<string | undefined> {
  for (const name of ['docker', 'podman']) {
    const { code } = await run(name, ['info'])
    if (code === 0) return name
  }
  return undefined
}

export async function engineBuilder(engine: string, root: string): Promise<Builder> {
  await done(engine, ['build', '--tag', IMAGE, root])
  const volume = (await done(engine, ['volume', 'create'])).trim()
  return {
    name: engine,
    start: async (environment) => await started(engine, volume, environment),
    remove: async () => {
      await run(engine, ['volume', 'rm', volume])
      await run(engine, ['image', 'rm', IMAGE])
    },
  }
}

async function started(engine: string, volume: string, environment: Environment): Promise<Container> {
  const settings = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const args = ['run', '--detach', '--volume', `${volume}:/data`, ...settings, IMAGE]
  const id = (await done(engine, args)).trim().split('\n').at(-1)!
  const output = async (): Promise<string> => (await run(engine, ['logs', id])).output
  const ended = async () => {
    const code = Number((await done(engine, ['wait', id])).trim())
    const told = { code, output: await output() }
    await run(engine, ['rm', id])
    return told
  }
  const stop = async () => {
    await done(engine, ['kill', '--signal', 'TERM', id])
    return await ended()
  }
  return { exec: async (command) => await run(engine, ['exec', id, ...command]), output, stop, ended }
}
