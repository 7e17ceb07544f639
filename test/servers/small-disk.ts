// A small disk of its own for what a test stores.
import { spawnSync } from 'node:child_process'
import { statfsSync, writeFileSync } from 'node:fs'

/** Mounts one of so many megabytes; false, with a line that says so, where that is not allowed. */
export function mountSmallDisk(at: string, megabytes: number): boolean {
  const args = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', at]
  const mounted = spawnSync('mount', args, { stdio: 'ignore' }).status === 0
  if (!mounted) process.stderr.write('Skipped: a full disk can only be tried by root, on a tmpfs.\n')
  return mounted
}

/** Writes a file that leaves so many megabytes. */
export function fillDisk(disk: string, ballast: string, leftMegabytes: number): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftMegabytes * 1024 * 1024)))
}

export const unmountDisk = (at: string) => void spawnSync('umount', ['-l', at])
