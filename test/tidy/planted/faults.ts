import { open } from 'node:fs/promises'
async function planted(): Promise<void> {
  const file = await open('x')
  file.sync()
}
planted()
