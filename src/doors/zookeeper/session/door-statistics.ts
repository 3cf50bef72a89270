/** The figures that ZooKeeper's four-letter words print. Latencies are in milliseconds. */
export class DoorStatistics {
  received = 0
  sent = 0
  #answered = 0
  #latencySum = 0
  #latencyMin = Number.POSITIVE_INFINITY
  #latencyMax = 0

  answered(latencyMs: number): void {
    this.#answered++
    this.#latencySum += latencyMs
    this.#latencyMin = Math.min(this.#latencyMin, latencyMs)
    this.#latencyMax = Math.max(this.#latencyMax, latencyMs)
  }

  /** Latencies as ZooKeeper prints them: only the average has decimals. */
  get latency(): { readonly min: number; readonly average: string; readonly max: number } {
    if (this.#answered === 0) return { min: 0, average: '0.0', max: 0 }
    const average = (Math.round((this.#latencySum / this.#answered) * 10_000) / 10_000).toString()
    return {
      min: Math.floor(this.#latencyMin),
      average: average.includes('.') ? average : `${average}.0`,
      max: Math.floor(this.#latencyMax),
    }
  }
}
