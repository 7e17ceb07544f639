// Settings: concurrency, sweeps, shutdown, log.
import { logFormat, logLevel, only, period, positive, setting, wholeNumber } from './setting.ts'

export const work = {
  concurrency: setting('BELLHOP_CONCURRENCY', positive, {
    doc: 'How many merge requests are evaluated at once.',
    default: '20',
    setWhen: 'the service is slow or overloaded',
  }),
  only: setting('BELLHOP_ONLY', only, {
    doc: 'The part that this process does: receiver (receive deliveries) or worker (evaluate and act); by default both. Needs a queue that processes can share.',
    setWhen: 'several processes share one Redis',
  }),
  sweepEveryMs: setting('BELLHOP_SWEEP_EVERY', period, {
    doc: 'How often a sweep repairs what lost hooks missed, such as 15m; also at the start. 0 turns it off.',
    default: '15m',
    setWhen: 'many hooks get lost, or calls are scarce',
  }),
  sweepCalls: setting('BELLHOP_SWEEP_CALLS', positive, {
    doc: 'How many API calls one sweep may send; each merge request that it enqueues counts as one. The next sweep continues.',
    default: '500',
    setWhen: 'there are thousands of projects, or the rate limit is low',
  }),
  workDir: setting('BELLHOP_WORK_DIR', String, {
    doc: 'The folder for the repositories that merge queues work on. They can be fetched again.',
    default: '.bellhop-work',
    setWhen: 'there are merge queues, and the present folder is small or read-only',
  }),
  maxRepositorySize: setting('BELLHOP_MAX_REPOSITORY_SIZE', positive, {
    doc: 'The largest repository, in MB, that a merge queue works on. All together take at most five times that.',
    default: '10000',
    setWhen: 'a repository with a merge queue is larger, or the disk is small',
  }),
  shutdownTimeoutMs: setting('BELLHOP_SHUTDOWN_TIMEOUT', positive, {
    doc: 'Milliseconds for running jobs to finish on SIGTERM.',
    default: '20000',
    setWhen: 'the process is killed in less than 30 s',
  }),
  shutdownDelayMs: setting('BELLHOP_SHUTDOWN_DELAY', wholeNumber, {
    doc: 'Milliseconds that a receiver accepts deliveries for on SIGTERM, while /readyz fails.',
    default: '0',
    setWhen: 'a load balancer needs time to leave a stopping receiver out',
  }),
  logFormat: setting('BELLHOP_LOG', logFormat, {
    doc: 'Log format: json (a document a line), pretty (for people) or auto (pretty on a terminal, else json).',
    default: 'auto',
    setWhen: 'you read log files, or a program reads the terminal',
  }),
  logLevel: setting('BELLHOP_LOG_LEVEL', logLevel, {
    doc: 'trace, debug, info, warn, error or fatal.',
    default: 'info',
    setWhen: 'you investigate a problem: debug',
  }),
} as const
