import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { describeStore } from './suite/describe-store.ts'
import { TestClock } from './suite/store-under-test.ts'

describeStore('memory', async () => {
  const clock = new TestClock()
  const store = openMemoryStore({ clock })
  return { store, clock, close: () => store.close() }
}, ['as written'])
