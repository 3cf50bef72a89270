import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { launcherChain } from '../../../src/cli/machine/launcher.ts'
import { type ProcessFacts, processFacts } from '../../../src/cli/machine/processes.ts'

const SELF = 100
const GROUP = 40
const UNDER_NPM = { npm_lifecycle_event: 'start', npm_lifecycle_script: 'node tools/start.js' }

/** Processes from this one upwards: `command`, or `[command, group]`. */
function chainOf(
  ancestors: readonly (string | readonly [command: string, group: number])[],
  env: Readonly<Record<string, string>> = UNDER_NPM,
): readonly number[] {
  const facts = new Map<number, ProcessFacts>()
  ;['node dist/src/cli/main.js serve', ...ancestors].forEach((each, i) => {
    const [command, group] = typeof each === 'string' ? [each, GROUP] : each
    facts.set(SELF - i, { parent: SELF - i - 1, group, command })
  })
  return launcherChain(env, SELF, (pid) => facts.get(pid))
}

const SHELL = 'sh -c node tools/start.js'
const PERSON: readonly [string, number] = ['-bash', 7]

describe('a server is watched up to the npm that a person started', () => {
  test.each<[string, readonly (string | readonly [string, number])[], number]>([
    ['npm start', [SHELL, 'npm start', PERSON], 2],
    ['npm start, whose shell becomes the server', ['npm start', PERSON], 1],
    ['npx', ['/bin/dash -c tidegate serve', 'npm exec tidegate serve', PERSON], 2],
    ['npm as macOS shows it', [SHELL, '/usr/local/bin/node /usr/local/bin/npm start', PERSON], 2],
    ['npm by its file', [SHELL, '/usr/bin/node /usr/lib/node_modules/npm/bin/npm-cli.js start'], 2],
    ['npm run dev, which calls npm start', [SHELL, 'npm start', 'sh -c npm start --', 'npm run dev'], 4],
    ['npm of a script', [SHELL, 'npm start', '/bin/bash ./up.sh'], 2],
  ])('%s', (_, ancestors, length) => {
    expect(chainOf(ancestors)).toEqual(Array.from({ length }, (_, i) => SELF - 1 - i))
  })
})

describe('a server is on its own', () => {
  test.each<[string, readonly (string | readonly [string, number])[], Readonly<Record<string, string>>?]>([
    ['without npm', [SHELL, 'npm start'], {}],
    ['as a child of another program under npm', ['node up.js', SHELL, 'npm run up']],
    ['in a process group of its own', [['sh -c nohup x', 1] as const, ['npm run up', 1] as const]],
    ['where its shell has ended', []],
    ['where a script of a script starts it', ['bash run.sh', SHELL]],
  ])('%s', (_, ancestors, env) => {
    expect(chainOf(ancestors, env)).toEqual([])
  })

  test.each([
    'nohup tidegate serve &',
    'tidegate serve & vitest',
    'setsid tidegate serve',
    'tidegate serve&',
  ])('where npm runs `%s`', (npm_lifecycle_script) => {
    const env = { npm_lifecycle_event: 'up', npm_lifecycle_script }
    expect(chainOf([SHELL, 'npm run up'], env)).toEqual([])
  })

  test.each(['a && tidegate serve', 'tidegate serve 2>&1', 'tidegate serve &>log', 'tidegate serve >& log'])(
    'but not where npm runs `%s`',
    (npm_lifecycle_script) => {
      const env = { npm_lifecycle_event: 'up', npm_lifecycle_script }
      expect(chainOf([SHELL, 'npm run up'], env)).toHaveLength(2)
    },
  )
})

test('a chain is unbroken, begins at the parent and ends at an npm', () => {
  const ancestor = fc.tuple(
    fc.constantFrom('npm start', 'sh -c x', 'node x.js', '/bin/bash x', 'systemd'),
    fc.constantFrom(GROUP, GROUP, GROUP, 7),
  )
  fc.assert(
    fc.property(fc.array(ancestor, { maxLength: 6 }), (ancestors) => {
      const chain = chainOf(ancestors)
      expect(chain).toEqual(chain.map((_, i) => SELF - 1 - i))
      const members = ancestors.slice(0, chain.length)
      expect(members.every(([command, group]) => group === GROUP && !/^(node|systemd)/.test(command))).toBe(
        true,
      )
      if (members.length > 0) expect(members.at(-1)![0]).toBe('npm start')
    }),
  )
})

test('the facts of a process are the system’s', () => {
  expect(processFacts(process.pid)).toMatchObject({
    parent: process.ppid,
    command: expect.stringMatching(/node|vitest/) as string,
  })
  expect(processFacts(2 ** 30)).toBeUndefined()
})
