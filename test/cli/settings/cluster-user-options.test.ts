import { describe, expect, test } from 'vitest'
import { parsedSettings } from '../parsed-settings.ts'

const CLUSTER = ['--store', 'hbase:127.0.0.1:2181']

function passing(...args: string[]): unknown {
  const { store } = parsedSettings(...CLUSTER, ...args)
  return store.kind === 'hbase' ? store.passing : 'no cluster'
}

describe('--cluster-user', () => {
  test('is Tidegate itself, unless somebody asks for the caller', () => {
    expect(passing()).toBeUndefined()
    expect(passing('--cluster-user', 'own')).toBeUndefined()
    expect(passing('--cluster-user', 'caller', '--users', 'users')).toEqual({
      as: 'caller',
      connectionsMax: 1_000,
    })
    const flags = ['--cluster-user', 'proxy', '--insecure', '--cluster-user-connections-max', '7']
    expect(passing(...flags)).toEqual({ as: 'proxy', connectionsMax: 7 })
  })

  test.each([
    [[...CLUSTER, '--cluster-user', 'caller'], 'each could be any user of the cluster'],
    [['--cluster-user', 'caller', '--users', 'users'], 'is for a cluster: the store is native'],
    [[...CLUSTER, '--cluster-user', 'everybody'], 'Allowed choices are own, caller, proxy'],
    [[...CLUSTER, '--cluster-user-connections-max', '0'], 'It must be a whole number from 1'],
  ])('%j is refused', (args, reason) => {
    expect(() => parsedSettings(...args)).toThrow(reason)
  })
})
