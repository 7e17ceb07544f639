// What Linux says that a process has taken; NaN on other systems.
import { readFileSync } from 'node:fs'

/** The most memory that it ever had. */
export function peakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(told(pid, 'status'))?.[1]) / 1024
}

/** The memory that it has now. */
export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(told(pid, 'status'))?.[1]) / 1024
}

/** Processor time until now, of its own and of the system for it; also of its children that have ended. */
export function processorMs(pid: number): number {
  // Ticks of 10 ms; the name before them may hold spaces.
  const ticks = told(pid, 'stat').split(') ').at(-1)?.split(' ').slice(11, 15).map(Number) ?? []
  return ticks.length === 4 ? ticks.reduce((sum, each) => sum + each, 0) * 10 : Number.NaN
}

function told(pid: number, what: 'status' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
