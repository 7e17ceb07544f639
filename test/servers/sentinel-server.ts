// Starts a Redis Sentinel of the tests' own on a free port.
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './redis-server.ts'

export type TestSentinel = Awaited<ReturnType<typeof startSentinel>>

/** What they call the master. */
export const MASTER_NAME = 'main'
const DOWN_AFTER_MS = 500

/** Two must agree that the master is down. `watch`: more lines of its configuration, which lies in that directory. */
export async function startSentinel(directory: string, masterPort: number, watch: string[] = []) {
  const port = await freePort()
  const file = join(directory, `${port}.conf`)
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
    ...watch,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'pipe'] })
  await watching(child)
  return {
    port,
    /** SIGKILL, and gone when it resolves. */
    async kill() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    },
  }
}

function watching(child: ChildProcess): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (bytes) => {
      said += String(bytes)
      if (said.includes('+monitor')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the Sentinel ended: ${said}`)))
  })
}

/** The URL of a queue whose master they know. */
export const sentinelUrl = (sentinels: readonly TestSentinel[]) =>
  `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${MASTER_NAME}`
