// What other users see of a running command in the process list: its name, and no secret that a flag gave.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { builtCommand } from '../built-command.ts'
import { listening } from '../listening.ts'

test.skipIf(!existsSync('/proc/self/cmdline'))(
  'the list of processes shows no secret that was given as a flag (needs /proc)',
  async () => {
    // Never answers: the command waits for it.
    const service = createServer()
    const asked = once(service, 'request')
    const url = await listening(service)
    const args = ['explain', 'hotel/app', '1', '--service-url', url, '--service-token', 'hush-hush-hush']
    const child = spawn(process.execPath, [await builtCommand(), ...args], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH },
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    try {
      await Promise.race([asked, ended.then(() => Promise.reject(new Error('it ended before it asked')))])
      expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').replaceAll(/[\0 ]+$/g, '')).toBe('bellhop explain')
    } finally {
      child.kill('SIGKILL')
      await ended
      service.closeAllConnections()
      service.close()
    }
  },
)
