import { expect, test } from 'vitest'
import { ANY_NAME, tablesMatching } from '../../src/shell/context/tables-known.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { openShellOnServer } from './shell-on-server.ts'

test('tables are listed by name only, since more users may see names than descriptors', async () => {
  const shell = await openShellOnServer('memory')
  try {
    await shell.run(["create 't', 'f'"])
    const asked: unknown[] = []
    const catalog = new Proxy(shell.store.catalog, {
      get: (target, key) => {
        if (key === 'listTables') asked.push(key)
        const found: unknown = Reflect.get(target, key, target)
        if (typeof found !== 'function') return found
        return (...args: unknown[]): unknown => {
          if (key === 'listTables') asked.push(args[1])
          return Reflect.apply(found, target, args)
        }
      },
    })
    const names = await tablesMatching({ store: { ...shell.store, catalog }, call: OWN_CALL }, ANY_NAME)
    expect(names).toEqual(['t'])
    expect(asked).toEqual(['listTables', 'names'])
  } finally {
    await shell.close()
  }
})
