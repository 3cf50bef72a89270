import { counter, gauge, type Metric, type Sample } from '../../../src/model/metric.ts'
import { CACHE_AREAS, type CacheArea, type LruBlockCache } from './block-cache.ts'
import type { OpenFiles } from './open-files.ts'

function ofAreas(read: (area: CacheArea) => number): () => Sample[] {
  return () => CACHE_AREAS.map((area) => ({ labels: { area }, value: read(area) }))
}

/** Metrics of the block cache of one thread. */
export function cacheMetrics(blockCache: LruBlockCache): Metric[] {
  return [
    counter(
      'tidegate_native_block_cache_hits_total',
      'Blocks of store files that were in memory',
      () => blockCache.hits,
    ),
    counter(
      'tidegate_native_block_cache_misses_total',
      'Blocks of store files that had to be read',
      () => blockCache.misses,
    ),
    counter(
      'tidegate_native_block_cache_evictions_total',
      'Blocks that made room for others',
      () => blockCache.evictions,
    ),
    gauge('tidegate_native_block_cache_bytes', 'Memory of the block cache', () => blockCache.bytes),
    gauge(
      'tidegate_native_block_cache_index_bytes',
      'Memory of the indexes and bloom filters in the block cache',
      () => blockCache.indexBytes,
    ),
    ...cacheAreaMetrics(blockCache),
  ]
}

function cacheAreaMetrics(cache: LruBlockCache): Metric[] {
  const labels = ['area']
  return [
    {
      name: 'tidegate_native_block_cache_area_bytes',
      kind: 'gauge',
      help: 'Memory of the areas of the block cache',
      labels,
      read: ofAreas((area) => cache.area(area).bytes),
    },
    {
      name: 'tidegate_native_block_cache_area_blocks',
      kind: 'gauge',
      help: 'Blocks in the areas of the block cache',
      labels,
      read: ofAreas((area) => cache.area(area).count),
    },
    {
      name: 'tidegate_native_block_cache_area_evictions_total',
      kind: 'counter',
      help: 'Blocks of the areas of the block cache that made room for others',
      labels,
      read: ofAreas((area) => cache.area(area).evictions),
    },
    gauge('tidegate_native_block_cache_max_bytes', 'Limit of the block cache', () => cache.maxBytes),
    gauge(
      'tidegate_native_block_cache_free_bytes',
      'Memory that evicted blocks left for the next ones',
      () => cache.frames.freeBytes,
    ),
  ]
}

/** Metrics of the store files of one thread. */
export function openFileMetrics(openFiles: OpenFiles): Metric[] {
  return [
    gauge(
      'tidegate_native_open_store_files',
      'Store files that have a file descriptor',
      () => openFiles.count,
    ),
    counter(
      'tidegate_native_reopened_store_files_total',
      'Store files that were opened again for a read, since others had taken their descriptors',
      () => openFiles.reopened,
    ),
  ]
}
