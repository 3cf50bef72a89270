import type { Store } from '../store.ts'
import type { StoreSpec } from './serve-options.ts'

/** Adapters are loaded when they are asked for, so that a start pays for one only. */
export async function openStore(spec: StoreSpec): Promise<Store> {
  switch (spec.kind) {
    case 'memory': {
      const { openMemoryStore } = await import('../../adapters/memory/memory-store.ts')
      return openMemoryStore({ clock: { now: () => Date.now() } })
    }
    case 'native': {
      throw new Error('native soon')
    }
  }
}
