// Loaded into every thread of a server (NODE_OPTIONS): the first thread that serves connections dies once there is a file `die`.
const { existsSync, watch } = require('node:fs')
const { join } = require('node:path')
const { workerData } = require('node:worker_threads')

const folder = process.env.DYING_FOLDER

if (workerData?.number === 1) {
  const look = () => {
    if (existsSync(join(folder, 'die'))) throw new Error('planted')
  }
  watch(folder, look)
}
