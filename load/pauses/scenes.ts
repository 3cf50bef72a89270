import { FILES_SCENE } from './files-scene.ts'
import { GUARDED_SCENE } from './guarded-scene.ts'
import { ROWS_SCENE } from './hostile-requests.ts'
import { LARGE_PAGES_SCENE } from './large-pages-scene.ts'
import { MEMSTORE_SCENE } from './memstore-scene.ts'
import { REGIONS_SCENE } from './regions-scene.ts'
import type { Scene } from './scene.ts'

export const SCENES: readonly Scene[] = [
  ROWS_SCENE,
  MEMSTORE_SCENE,
  GUARDED_SCENE,
  REGIONS_SCENE,
  FILES_SCENE,
  LARGE_PAGES_SCENE,
]
