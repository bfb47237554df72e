//! `[chains]` of the configuration file: the source of each network. The adapter of a network defines its section.

use checkout_core::Network;
use checkout_gateway::domain::chain::environment::Environments;

/// The settings of one network's source.
#[derive(Clone)]
pub(crate) enum Source {}

/// The configured networks.
#[derive(Clone, Default)]
pub(crate) struct Sources(Vec<(Network, Source)>);

impl Sources {
    /// Errors are messages for users.
    pub(crate) fn read(sections: Vec<(Network, toml::Table)>) -> Result<Self, String> {
        sections
            .into_iter()
            .map(|(network, section)| Ok((network, source(network, section)?)))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The networks for tests among them.
    pub(crate) fn environments(&self) -> Environments {
        Environments::with(self.0.iter().filter_map(|(_, source)| match *source {}))
    }
}

fn source(network: Network, _: toml::Table) -> Result<Source, String> {
    Err(format!("[chains.{network}] cannot be used: there is no adapter for {network} yet."))
}
