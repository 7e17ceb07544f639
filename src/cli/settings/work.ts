// Settings of how the work is done: how much at once, how often, how it ends, and what is logged.
import { logFormat, logLevel, only, period, positive } from '../setting-texts.ts'
import { setting } from './setting.ts'

export const work = {
  concurrency: setting({
    variable: 'BELLHOP_CONCURRENCY',
    flag: '--concurrency',
    doc: 'How many merge requests are evaluated at once.',
    default: '20',
    neededBy: 'who has a slow service, or one that bears less',
    read: positive,
  }),
  only: setting({
    variable: 'BELLHOP_ONLY',
    flag: '--only',
    doc: 'The part of the work that this process does: receiver (takes deliveries) or worker (judges and acts); without it both. Needs a queue that processes can share.',
    default: '',
    neededBy: 'who runs several processes over one Redis',
    read: only,
  }),
  sweepEveryMs: setting({
    variable: 'BELLHOP_SWEEP_EVERY',
    flag: '--sweep-every',
    doc: 'How often lost hooks are made good, such as 15m; also at the start. 0 turns it off.',
    default: '15m',
    neededBy: 'who has many hooks that get lost, or too few calls to spare',
    read: period,
  }),
  sweepCalls: setting({
    variable: 'BELLHOP_SWEEP_CALLS',
    flag: '--sweep-calls',
    doc: 'How many API calls one sweep may take, each merge request that it wakes counting as one; the next goes on.',
    default: '500',
    neededBy: 'who has thousands of projects, or a low rate limit',
    read: positive,
  }),
  stopWithinMs: setting({
    variable: 'BELLHOP_STOP_WITHIN',
    flag: '--stop-within',
    doc: 'Milliseconds that running work has to finish when the process is told to stop.',
    default: '20000',
    neededBy: 'who is stopped by something less patient than 30 s',
    read: positive,
  }),
  logFormat: setting({
    variable: 'BELLHOP_LOG',
    flag: '--log',
    doc: 'How the log is written: json (a document a line), pretty (for people), or auto (pretty on a terminal, else json).',
    default: 'auto',
    neededBy: 'who reads a log file by eye, or sends what a terminal shows to a program',
    read: logFormat,
  }),
  logLevel: setting({
    variable: 'BELLHOP_LOG_LEVEL',
    flag: '--log-level',
    doc: 'trace, debug, info, warn, error or fatal.',
    default: 'info',
    neededBy: 'who looks for a fault: debug',
    read: logLevel,
  }),
} as const
