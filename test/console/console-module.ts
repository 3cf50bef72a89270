import { packageRoot } from '../../src/package-root.ts'

/** A module of the console: plain JavaScript, as browsers load it. Those without a page run in Node, too. */
export async function consoleModule<Module>(name: string): Promise<Module> {
  return (await import(new URL(`console/${name}`, packageRoot()).href)) as Module
}
