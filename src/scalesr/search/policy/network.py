"""The policy network: the one door to torch among the searches."""

from __future__ import annotations

from contextlib import AbstractContextManager

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import MissingExtra
from scalesr.expr.threads import kept_to_one
from scalesr.search.policy.sampling import Lessons
from scalesr.search.policy.training import Training
from scalesr.search.policy.vocabulary import Tokens, Vocabulary

try:
    import torch
except ImportError as error:
    raise MissingExtra("The searches dsr and nggp need torch: pip install 'scalesr[torch]'") from error

from torch import Tensor, nn
from torch.nn.functional import log_softmax, one_hot

FORBIDDEN = -1e4  # a logit that stands for minus infinity and leaves gradients finite


def one_thread() -> AbstractContextManager[None]:
    """A block in which torch keeps to one thread, the fastest for so small a network."""
    return kept_to_one(torch.get_num_threads, torch.set_num_threads)


class Policy:
    """An LSTM that scores the next token from its parent and sibling; it starts out indifferent."""

    def __init__(self, vocabulary: Vocabulary, training: Training, rng: np.random.Generator) -> None:
        self._training, self._n_symbols = training, vocabulary.n_tokens + 1
        self._device = torch.device(_device(training.device))
        self._lstm = nn.LSTM(2 * self._n_symbols, training.n_units, batch_first=True, device="meta")
        self._head = nn.Linear(training.n_units, vocabulary.n_tokens, device="meta")
        for part in (self._lstm, self._head):
            part.to_empty(device="cpu")  # modules made so draw nothing from torch's own generator
        _initialise(self._lstm, self._head, rng)
        self._lstm.to(self._device)
        self._head.to(self._device)
        parameters = [*self._lstm.parameters(), *self._head.parameters()]
        self._optimizer = torch.optim.Adam(parameters, lr=training.learning_rate)
        self.start(0)

    def start(self, n_rows: int) -> None:
        """Begin `n_rows` sequences with an empty memory."""
        shape = (1, n_rows, self._training.n_units)
        self._hidden, self._cell = (torch.zeros(shape, device=self._device) for _ in range(2))

    def logits(self, rows: NDArray[np.int64], parent: Tokens, sibling: Tokens) -> NDArray[np.float64]:
        """Scores (rows, tokens) of the next token of the given rows."""
        with torch.no_grad():
            index = self._tensor(rows)
            seen = self._inputs(parent[:, np.newaxis], sibling[:, np.newaxis])
            memory = self._hidden[:, index].contiguous(), self._cell[:, index].contiguous()
            out, (hidden, cell) = self._lstm(seen, memory)
            self._hidden[:, index], self._cell[:, index] = hidden, cell
            scores: NDArray[np.float64] = self._head(out[:, 0]).double().cpu().numpy()
        return scores

    def log_probabilities(self, taught: Lessons) -> NDArray[np.float64]:
        """Logarithm of the probability (sequences,) of writing each sequence."""
        with torch.no_grad():
            found: NDArray[np.float64] = self._judged(taught)[0].double().cpu().numpy()
        return found

    def learn(self, taught: Lessons, weights: NDArray[np.float64]) -> None:
        """One step that raises the weighted log-probability of sequences and the entropy; none without any."""
        if len(weights) == 0:
            return
        log_probabilities, entropies = self._judged(taught)
        gain = (self._tensor(weights).float() * log_probabilities).sum()
        loss = -gain - self._training.entropy_weight * entropies.mean()
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()

    def _judged(self, taught: Lessons) -> tuple[Tensor, Tensor]:
        """Log-probability and discounted entropy of each sequence."""
        out, _ = self._lstm(self._inputs(taught.parents, taught.siblings))
        prior = self._tensor(np.maximum(taught.priors, FORBIDDEN)).float()
        logs = log_softmax(self._head(out) + prior, dim=2)
        n_places, n_tokens = logs.shape[1:]
        chosen = self._tensor(np.minimum(taught.tokens, n_tokens - 1))
        is_written = self._tensor(np.arange(n_places) < taught.lengths[:, np.newaxis]).float()
        discount = self._tensor(self._training.entropy_decay ** np.arange(n_places)).float()
        log_probabilities = (logs.gather(2, chosen[:, :, None])[:, :, 0] * is_written).sum(dim=1)
        entropies = (-(logs.exp() * logs).sum(dim=2) * is_written * discount).sum(dim=1)
        return log_probabilities, entropies

    def _inputs(self, parents: Tokens, siblings: Tokens) -> Tensor:
        """One-hot parents and siblings side by side, (sequences, length, 2 * (tokens + 1))."""
        pairs = self._tensor(np.stack([parents, siblings], axis=2))
        return one_hot(pairs, self._n_symbols).flatten(start_dim=2).float()

    def _tensor(self, array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)


def _device(wanted: str) -> str:
    if wanted != "auto":
        return wanted
    return "cuda" if torch.cuda.is_available() else "cpu"


def _initialise(lstm: nn.LSTM, head: nn.Linear, rng: np.random.Generator) -> None:
    """Small random recurrent weights from a generator of our own; a head of zeros leaves the prior alone."""
    generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
    bound = lstm.hidden_size**-0.5
    for weight in lstm.parameters():
        nn.init.uniform_(weight, -bound, bound, generator=generator)
    for weight in head.parameters():
        nn.init.zeros_(weight)
