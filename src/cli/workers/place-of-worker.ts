import cluster from 'node:cluster'
import { PLACE_VARIABLE, type WorkerPlace } from './messages.ts'

/** Undefined for a process that no parent of Tidegate has started. */
export function placeOfWorker(): WorkerPlace | undefined {
  const place = process.env[PLACE_VARIABLE]
  return cluster.isWorker && place !== undefined ? (JSON.parse(place) as WorkerPlace) : undefined
}
