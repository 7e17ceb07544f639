// Settings: concurrency, sweeps, shutdown, log.
import { logFormat, logLevel, only, period, positive, setting, wholeNumber } from './setting.ts'

export const work = {
  concurrency: setting({
    variable: 'BELLHOP_CONCURRENCY',
    doc: 'How many merge requests are evaluated at once.',
    default: '20',
    setWhen: 'the service is slow or overloaded',
    read: positive,
  }),
  only: setting({
    variable: 'BELLHOP_ONLY',
    doc: 'The part that this process does: receiver (receive deliveries) or worker (evaluate and act); by default both. Needs a queue that processes can share.',
    setWhen: 'several processes share one Redis',
    read: only,
  }),
  sweepEveryMs: setting({
    variable: 'BELLHOP_SWEEP_EVERY',
    doc: 'How often a sweep repairs what lost hooks missed, such as 15m; also at the start. 0 turns it off.',
    default: '15m',
    setWhen: 'many hooks get lost, or calls are scarce',
    read: period,
  }),
  sweepCalls: setting({
    variable: 'BELLHOP_SWEEP_CALLS',
    doc: 'How many API calls one sweep may send; each merge request that it enqueues counts as one. The next sweep continues.',
    default: '500',
    setWhen: 'there are thousands of projects, or the rate limit is low',
    read: positive,
  }),
  workDir: setting({
    variable: 'BELLHOP_WORK_DIR',
    doc: 'The folder for the repositories that merge queues work on. They can be fetched again.',
    default: '.bellhop-work',
    setWhen: 'there are merge queues, and the present folder is small or read-only',
    read: (text) => text,
  }),
  maxRepositorySize: setting({
    variable: 'BELLHOP_MAX_REPOSITORY_SIZE',
    doc: 'The largest repository, in MB, that a merge queue works on. All together take at most five times that.',
    default: '10000',
    setWhen: 'a repository with a merge queue is larger, or the disk is small',
    read: positive,
  }),
  shutdownTimeoutMs: setting({
    variable: 'BELLHOP_SHUTDOWN_TIMEOUT',
    doc: 'Milliseconds for running jobs to finish on SIGTERM.',
    default: '20000',
    setWhen: 'the process is killed in less than 30 s',
    read: positive,
  }),
  shutdownDelayMs: setting({
    variable: 'BELLHOP_SHUTDOWN_DELAY',
    doc: 'Milliseconds that a receiver accepts deliveries for on SIGTERM, while /readyz fails.',
    default: '0',
    setWhen: 'a load balancer needs time to leave a stopping receiver out',
    read: wholeNumber,
  }),
  logFormat: setting({
    variable: 'BELLHOP_LOG',
    doc: 'Log format: json (a document a line), pretty (for people) or auto (pretty on a terminal, else json).',
    default: 'auto',
    setWhen: 'you read log files, or a program reads the terminal',
    read: logFormat,
  }),
  logLevel: setting({
    variable: 'BELLHOP_LOG_LEVEL',
    doc: 'trace, debug, info, warn, error or fatal.',
    default: 'info',
    setWhen: 'you investigate a problem: debug',
    read: logLevel,
  }),
} as const
