import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownCommand } from '../../../src/cli/machine/own-command.ts'
import { firstSteps } from '../../../src/cli/serve/first-steps.ts'
import { Authority, PemFolder } from '../../harness/certificates.ts'
import { parsedSettings } from '../parsed-settings.ts'

const ADDRESSES = {
  rest: '127.0.0.1:8080',
  thrift: '127.0.0.1:9090',
  rpc: '127.0.0.1:16020',
  master: 'off',
  zookeeper: '127.0.0.1:2181',
  web: '127.0.0.1:16010',
  timeline: 'off',
}

const steps = (flags: readonly string[], addresses: Readonly<Record<string, string>> = ADDRESSES): string[] =>
  firstSteps(parsedSettings(...flags), addresses, undefined, 'tidegate')

test('a server on its usual ports has the shortest commands', () => {
  expect(steps([])).toEqual([
    'Console  http://127.0.0.1:16010/console/',
    "REST     curl 'http://127.0.0.1:8080/version/cluster'",
    'Shell    tidegate shell',
    'Stop     Ctrl-C',
  ])
})

test('other ports stand in the commands, and doors that are off have none', () => {
  const others = { ...ADDRESSES, web: 'off', rpc: '127.0.0.1:17020', zookeeper: 'off' }
  expect(steps([], others)).toContain('Shell    tidegate shell --address rpc:127.0.0.1:17020')
  expect(steps([], others)[0]).toMatch(/^REST/)
  const alone = { ...others, rpc: 'off', rest: 'off' }
  expect(steps([], alone)).toEqual([
    'Shell    tidegate shell --address thrift:127.0.0.1:9090',
    'Stop     Ctrl-C',
  ])
})

test('an address for all machines is reached on this one', () => {
  const all = steps(['--host', '0.0.0.0', '--insecure'], {
    ...ADDRESSES,
    rest: '0.0.0.0:8080',
    zookeeper: '0.0.0.0:2181',
  })
  expect(all).toContain("REST     curl 'http://127.0.0.1:8080/version/cluster'")
  expect(all).toContain('Shell    tidegate shell --address rpc:127.0.0.1:16020')
  expect(steps(['--host', '::', '--insecure'], { ...ADDRESSES, web: '[::]:16010' })[0]).toBe(
    'Console  http://[::1]:16010/console/',
  )
})

const flagsOf = ({ certificate, key }: { readonly certificate: string; readonly key: string }): string[] => [
  '--tls-certificate',
  certificate,
  '--tls-key',
  key,
]

describe('with TLS', () => {
  const folder = new PemFolder()
  let chain: readonly string[]
  let leaf: readonly string[]

  beforeAll(async () => {
    const authority = await Authority.make()
    const issued = await authority.issue({ name: 'server', hosts: ['gateway.example', 'localhost'] })
    leaf = flagsOf(folder.write('leaf', issued))
    const certificate = `${issued.certificate}\n${authority.certificate}`
    chain = flagsOf(folder.write('chain', { certificate, key: issued.key }))
  })
  afterAll(() => folder.remove())

  test('the host is a name of the certificate, and a file with its authority is trusted', () => {
    expect(steps(chain)).toEqual([
      'Console  https://localhost:16010/console/',
      `REST     curl --cacert ${chain[1]} 'https://localhost:8080/version/cluster'`,
      `Shell    tidegate shell --address rpc:localhost:16020 --tls-ca ${chain[1]}`,
      'Stop     Ctrl-C',
    ])
    expect(steps([...chain, '--advertise', 'gateway.example'])[0]).toContain('https://gateway.example:16010/')
  })

  test('a user names the authority that the file lacks', () => {
    expect(steps(leaf)).toContain("REST     curl --cacert AUTHORITY 'https://localhost:8080/version/cluster'")
  })

  test('clients show a certificate where every client must', () => {
    const shell = steps([...chain, '--tls-client-ca', chain[1]!])[2]
    expect(shell).toMatch(/ --tls-certificate CERTIFICATE --tls-key KEY$/)
    const optional = [
      '--tls-client-ca',
      chain[1]!,
      '--tls-client-certificates',
      'optional',
      '--users',
      'file',
    ]
    expect(steps([...chain, ...optional])[2]).toMatch(/ --user USER$/)
  })
})

test('a login has the flags that ask for the secret', () => {
  const withUsers = steps(['--users', 'file'])
  expect(withUsers).toContain("REST     curl -u USER 'http://127.0.0.1:8080/version/cluster'")
  expect(withUsers).toContain('Shell    tidegate shell --user USER')
  const withTokens = steps(['--jwt-secret', 'file'])
  expect(withTokens).toContain(
    `REST     curl -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8080/version/cluster'`,
  )
  expect(withTokens.filter((line) => line.startsWith('Shell'))).toEqual([])
})

test.each([
  ['/usr/bin/tidegate', { PATH: '/bin:/usr/bin' }, 'tidegate'],
  ['/srv/a b/bin/tidegate', { PATH: '/bin' }, "'/srv/a b/bin/tidegate'"],
  ['/home/bin/tidegate', { PATH: '/bin' }, './bin/tidegate'],
  ['/home/dist/src/cli/main.js', { PATH: '/bin' }, 'node dist/src/cli/main.js'],
  ['/home/dist/src/cli/main.js', { npm_lifecycle_event: 'start' }, 'npx tidegate'],
  ['/srv/.npm/bin/tidegate', { npm_lifecycle_event: 'npx', PATH: '/srv/.npm/bin' }, '/srv/.npm/bin/tidegate'],
] as const)('the command of %s under %j is %s', (file, env, command) => {
  expect(ownCommand({ file, env, folder: '/home' })).toBe(command)
})
