// One process per directory, also after the holder died.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DirectoryInUse, lockDirectory, socketPath } from '../../src/embedded-postgres/directory-lock.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { eventually } from '../eventually.ts'

/** One that does not exist yet. */
const directory = () => join(ownFolder().folder, 'd')

/** Leaves a socket that no one listens to, as kill -9 does. */
async function deadHolder(path: string): Promise<void> {
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (bytes) => {
    said += String(bytes)
  })
  await eventually(() => expect(said).toContain('listening'))
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await gone
  expect(existsSync(path)).toBe(true)
}

test('a held directory is refused, with its name and its holder; a freed one is not', async () => {
  const at = directory()
  const free = await lockDirectory(at)
  const refused = lockDirectory(at)
  await expect(refused).rejects.toThrow(DirectoryInUse)
  await expect(refused).rejects.toThrow(`The directory ${at} is in use by process ${process.pid}.`)
  await free()
  await (await lockDirectory(at))()
})

test('a dead holder is taken over, by one of many', async () => {
  const at = directory()
  mkdirSync(at)
  await deadHolder(socketPath(at))
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(at)))
  const held = tries.filter((one) => one.status === 'fulfilled')
  expect(held).toHaveLength(1)
  await expect(lockDirectory(at)).rejects.toThrow(DirectoryInUse)
  await held[0]?.value()
})

test('a take-over that was cut off does not lock the directory for good', async () => {
  const at = directory()
  mkdirSync(at)
  await deadHolder(socketPath(at))
  const guard = `${socketPath(at)}.takeover`
  writeFileSync(guard, '')
  utimesSync(guard, new Date(0), new Date(0))
  await (await lockDirectory(at))()
})

test('a directory whose path is too long for a socket is locked as well', async () => {
  const at = join(directory(), 'x'.repeat(120))
  const free = await lockDirectory(at)
  expect(Buffer.byteLength(socketPath(at))).toBeLessThan(104)
  await expect(lockDirectory(at)).rejects.toThrow(DirectoryInUse)
  await free()
})

test('the folders above it are made', async () => {
  const at = join(directory(), 'a', 'b')
  const [one, other] = await Promise.allSettled([lockDirectory(at), lockDirectory(at)])
  expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected'])
  expect(existsSync(at)).toBe(true)
  if (one.status === 'fulfilled') await one.value()
  if (other.status === 'fulfilled') await other.value()
})

test.skipIf(!existsSync('/proc/self'))('a place where no folder can be made is refused (needs /proc)', async () => {
  await expect(lockDirectory('/proc/nowhere/queue')).rejects.toThrow('ENOENT')
})
